"""German words -> word classes -> small word vectors whose dimensions have a meaning."""
