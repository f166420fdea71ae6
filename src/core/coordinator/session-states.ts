/** States in which a person can put a session of the service. In all but `running`, it starts no task. */
export const COORDINATOR_STATES = ['running', 'paused', 'stopped', 'archived', 'deleted'] as const;
export type CoordinatorState = (typeof COORDINATOR_STATES)[number];
