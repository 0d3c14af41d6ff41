// Prints the names of all tables; where they are and who asks stands in the environment.
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({ endpoint: process.env.STATOR_ENDPOINT });
console.log((await client.send(new ListTablesCommand({}))).TableNames);
