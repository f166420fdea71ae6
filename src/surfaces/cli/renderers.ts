import type { Printer } from '#surfaces/cli/screen.js';

type Loader = () => Promise<{ readonly renderers: Readonly<Record<string, Printer<never>>> }>;

/**
 * Files with the printers of operations, by the beginnings of their names; the longest one counts. Loaded on demand:
 * `--json` loads none.
 */
const FILES: Readonly<Record<string, Loader>> = {
  'agency.stats': () => import('#surfaces/cli/render/agency-stats.js'),
  'agency. evaluation. identity. role. tradeoff.': () => import('#surfaces/cli/render/agency.js'),
  'agent. session. task.checkpoint task.exec task.output task.prompt': () => import('#surfaces/cli/render/agents.js'),
  'analysis. graph.check task.context task.why': () => import('#surfaces/cli/render/blocking.js'),
  'blueprint.': () => import('#surfaces/cli/render/blueprints.js'),
  'bus. task.answer': () => import('#surfaces/cli/render/bus.js'),
  'blueprint.apply casting. team.ensure': () => import('#surfaces/cli/render/casting.js'),
  'catalog.': () => import('#surfaces/cli/render/catalog.js'),
  'database.': () => import('#surfaces/cli/render/database.js'),
  'evolve.': () => import('#surfaces/cli/render/evolution.js'),
  'agency.merge agency.pull agency.push agency.remote. agency.scan': () => import('#surfaces/cli/render/federation.js'),
  'resource.': () => import('#surfaces/cli/render/figures.js'),
  'export. formation.': () => import('#surfaces/cli/render/formations.js'),
  'func.': () => import('#surfaces/cli/render/functions.js'),
  'task.': () => import('#surfaces/cli/render/graph.js'),
  'archive. gc. graph.compact project.doctor project.git-merge replay. runs. store.': () =>
    import('#surfaces/cli/render/history.js'),
  'issues. task.import': () => import('#surfaces/cli/render/imports.js'),
  'decision. inbox. memory. teamsession.': () => import('#surfaces/cli/render/memory.js'),
  'msg.': () => import('#surfaces/cli/render/messages.js'),
  'analysis.report': () => import('#surfaces/cli/render/report.js'),
  'review.': () => import('#surfaces/cli/render/review.js'),
  'roles.': () => import('#surfaces/cli/render/roles.js'),
  'roster.': () => import('#surfaces/cli/render/roster.js'),
  'service.': () => import('#surfaces/cli/render/service.js'),
  'config. executor. format. model. notify. project. token.': () => import('#surfaces/cli/render/settings.js'),
  'graph.': () => import('#surfaces/cli/render/simulation.js'),
  'spend.': () => import('#surfaces/cli/render/spend.js'),
  'status.': () => import('#surfaces/cli/render/status.js'),
  'analysis.next': () => import('#surfaces/cli/render/structure.js'),
  'task.show': () => import('#surfaces/cli/render/task.js'),
  'artifact. plan. task.review task.submit team.take team.task team.tasks': () =>
    import('#surfaces/cli/render/team-tasks.js'),
  'member. squad.': () => import('#surfaces/cli/render/team.js'),
  'team.': () => import('#surfaces/cli/render/teams.js'),
  'task.attempts task.steps trace.': () => import('#surfaces/cli/render/trace.js'),
  'graph.viz': () => import('#surfaces/cli/render/viz.js'),
  'status.work': () => import('#surfaces/cli/render/work.js'),
  'machine. worker.': () => import('#surfaces/cli/render/workers.js'),
  'playbook. work. workflow.': () => import('#surfaces/cli/render/workflows.js'),
  'task.commit worktree.': () => import('#surfaces/cli/render/worktrees.js'),
};
const BEGINNINGS = Object.entries(FILES)
  .flatMap(([beginnings, load]) => beginnings.split(' ').map((start) => ({ start, load })))
  .sort((one, other) => other.start.length - one.start.length);

/** Printer of the answers of an operation; one that follows the form of the answer if it has none of its own. */
export async function rendererOf(name: string): Promise<Printer<unknown>> {
  const file = BEGINNINGS.find(({ start }) => name.startsWith(start));
  const own = (await file?.load())?.renderers[name];
  return (own as Printer<unknown> | undefined) ?? (await import('./plain-view.js')).printPlainly;
}
