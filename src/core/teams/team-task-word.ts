import { type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import type { TeamTaskStatus } from './team.js';

/** Graph state shown for each team status. */
const SHOWN: Readonly<Record<TeamTaskStatus, ShownState>> = {
  Pending: 'open',
  InProgress: 'in-progress',
  WaitingReview: 'pending-validation',
  Completed: 'done',
  Failed: 'failed',
  Cancelled: 'abandoned',
};

/** Display word of a team status, the same as for that state elsewhere. */
export function teamTaskWord(status: TeamTaskStatus): string {
  return STATUS_LOOK[SHOWN[status]].word;
}
