import type { Caller } from '#ports/callers.js';

/** The caller according to an environment: the run it was made for, otherwise the person at the keyboard. */
export function callerFrom(environment: NodeJS.ProcessEnv): Caller {
  const { WG_AGENT_ID: name, WG_TASK_ID: taskId, WG_FENCE: fence, WG_RUN_TOKEN: token } = environment;
  if (name && taskId && fence && /^\d{1,9}$/.test(fence)) {
    return { kind: 'run', name, taskId, fence: Number(fence), ...(token ? { token } : {}) };
  }
  return { kind: 'person', name: environment['USER'] || environment['LOGNAME'] || 'person' };
}

/** The person of this account, even if the environment names a run. */
export function personHere({ USER, LOGNAME }: NodeJS.ProcessEnv): Caller {
  return callerFrom({ USER, LOGNAME });
}
