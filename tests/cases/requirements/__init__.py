"""Requirements in the formats of exchange: ReqIF and tables, as documents with the relationships that they state."""
