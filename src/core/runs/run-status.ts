export type RunStatus = 'starting' | 'working' | 'stopping' | 'parked' | 'done' | 'failed' | 'dead';

/** Whether a run of this status has begun and not ended. */
export function isLiveStatus(status: RunStatus): boolean {
  return status === 'starting' || status === 'working' || status === 'stopping';
}
