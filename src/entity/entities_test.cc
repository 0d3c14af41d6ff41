// Entities over an embedded database.
