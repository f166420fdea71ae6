/** Groups of commands in a sensible reading order: the topics of `troupe help`, and the parts of the reference. */
export const GROUPS = {
  Start: 'a project, a goal, a review of this repository',
  Tasks: 'add, change, order, claim and finish tasks',
  Progress: 'what needs you, what is running, and why a task is not',
  Attempts: 'runs of tasks: output, prompts, worktrees, stopping a run',
  Review: 'approve, reject and score work; review a repository',
  Plans: 'runs of playbooks: workflows, functions, crews, panels, sweeps',
  Roles: 'roles of this repository, their lessons, client hooks',
  Casting: 'propose a team for a project or a goal; blueprints, catalog',
  Members: 'the cast members, their charters, the team files',
  Team: 'teams with a leader: messages, plan, tasks, artifacts',
  Memory: 'decisions, learnings and sessions of the team',
  Messages: 'messages about tasks; who may write to whom',
  Agency: 'roles, trade-offs and agents that learn from their scores',
  Evolution: 'change roles and trade-offs based on their scores',
  Analysis: 'checks, metrics, costs, forecasts, simulation',
  History: 'traces, replay, graph snapshots, the archive',
  Storage: 'files or a database; check, repair, rotate, merge',
  Service: 'the background service and its sessions',
  Settings: 'settings, model clients, tools, file formats',
} as const;
export type Group = keyof typeof GROUPS;
