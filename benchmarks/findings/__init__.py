"""The first decisions of the queue over folders of documents, beside what people said of them."""
