"""What outlives the process: people, tables, orders and shots, in SQLite or by URL elsewhere."""
