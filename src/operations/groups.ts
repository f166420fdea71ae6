/** What commands are about, in the order one meets it: the topics of `troupe help`, and the parts of the reference. */
export const GROUPS = {
  Start: 'a project, a goal, a review of this repository',
  Tasks: 'add, change, order, take and finish tasks',
  Progress: 'what needs you, what is running, why something is not',
  Attempts: 'who works on what: output, prompts, worktrees, ending a run',
  Review: 'approve, reject, score; the review of a repository',
  Workflows: 'workflows and functions: tasks made from a file',
  Formations: 'a crew, a panel or a sweep: line-up, run, release',
  Roles: 'roles of this repository, their lessons, hooks of clients',
  Casting: 'propose a team for a project or a goal; blueprints, catalog',
  Members: 'who was cast, their charters, the files of the team',
  Team: 'teams with a leader: their talk, plan, tasks and artifacts',
  Memory: 'decisions, learnings and sessions of the team',
  Messages: 'write to whoever works on a task; who may write to whom',
  Agency: 'roles, trade-offs and agents that learn from their scores',
  Evolution: 'change roles and trade-offs by what their scores say',
  Analysis: 'checks, figures, costs, forecasts, simulation',
  History: 'traces, replay, kept graphs, the archive',
  Storage: 'the files of the graph: check, mend, pack, merge them',
  Service: 'the background service and its sessions',
  Settings: 'settings, model clients, tools, formats of files',
} as const;
export type Group = keyof typeof GROUPS;
