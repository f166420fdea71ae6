/** How the coordinator names what it starts; a person's claim is held under a name. */
const RUN_NAME = /^agent-\d{1,9}$/;

/** A claimed task as it is said: `running` only where a run is at work on it. A person's claim is no run. */
export interface AtWork {
  readonly word: string;
  /** Who holds it, that its run is gone, or that nobody watches it. */
  readonly note: string;
}

/**
 * `holder` is who claimed it, `live` whether a run is at work on it, `watched` whether a service, or a run in the foreground,
 * answers.
 */
export function atWork(holder: string | undefined, live: boolean, watched: boolean): AtWork {
  if (live) return { word: 'running', note: watched ? '' : 'no service watches it' };
  if (holder === undefined) return { word: 'claimed', note: '' };
  if (!RUN_NAME.test(holder)) return { word: 'claimed', note: `by ${holder}` };
  const help = watched ? '' : ': `troupe sweep` gives it back';
  return { word: 'claimed', note: `by ${holder}, which is not at work${help}` };
}
