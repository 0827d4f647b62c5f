"""Trees of requirements and descriptions of interfaces: what each says, as documents and relationships."""
