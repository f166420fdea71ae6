export interface ModelQuestion {
  readonly prompt: string;
  readonly timeMs: number;
}

export interface ModelAnswer {
  /** As it came: foreign text. */
  readonly text: string;
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number; readonly costUsd?: number };
}

/**
 * A model that answers in text and does nothing else. Errors: `no_model` where there is none to ask, `bad_model_answer`
 * when it failed, took too long or said nothing.
 */
export interface Model {
  /** Refuses with `no_model` before anything has been prepared for it. */
  ready(): Promise<void>;
  complete(question: ModelQuestion): Promise<ModelAnswer>;
}
