import { type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import type { TeamTaskStatus } from './team.js';

/** The state of the graph that each status of team work is shown as. */
const SHOWN: Readonly<Record<TeamTaskStatus, ShownState>> = {
  Pending: 'open',
  InProgress: 'in-progress',
  WaitingReview: 'pending-validation',
  Completed: 'done',
  Failed: 'failed',
  Cancelled: 'abandoned',
};

/** The word for the status of team work: that of the same state anywhere else. */
export function teamTaskWord(status: TeamTaskStatus): string {
  return STATUS_LOOK[SHOWN[status]].word;
}
