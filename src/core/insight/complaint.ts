/** Something a person should look at; `hint` says what it is and what to do. */
export interface Complaint {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** Null when it is about no single task. */
  readonly task_id: string | null;
  readonly ids: readonly string[];
  readonly hint: string;
}

export function error(code: string, task: string | null, ids: readonly string[], hint: string): Complaint {
  return { code, severity: 'error', task_id: task, ids: [...ids], hint };
}

export function warning(code: string, task: string | null, ids: readonly string[], hint: string): Complaint {
  return { code, severity: 'warning', task_id: task, ids: [...ids], hint };
}
