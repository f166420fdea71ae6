import type { Printer } from '#surfaces/cli/screen.js';

const agency = () => import('#surfaces/cli/render/agency.js');
const agents = () => import('#surfaces/cli/render/agents.js');
const blocking = () => import('#surfaces/cli/render/blocking.js');
const bus = () => import('#surfaces/cli/render/bus.js');
const casting = () => import('#surfaces/cli/render/casting.js');
const federation = () => import('#surfaces/cli/render/federation.js');
const handoffs = () => import('#surfaces/cli/render/handoffs.js');
const history = () => import('#surfaces/cli/render/history.js');
const imports = () => import('#surfaces/cli/render/imports.js');
const memory = () => import('#surfaces/cli/render/memory.js');
const roleLearning = () => import('#surfaces/cli/render/role-learning.js');
const settings = () => import('#surfaces/cli/render/settings.js');
const team = () => import('#surfaces/cli/render/team.js');
const teamTasks = () => import('#surfaces/cli/render/team-tasks.js');
const teams = () => import('#surfaces/cli/render/teams.js');
const trace = () => import('#surfaces/cli/render/trace.js');
const workers = () => import('#surfaces/cli/render/workers.js');
const workflows = () => import('#surfaces/cli/render/workflows.js');
const worktrees = () => import('#surfaces/cli/render/worktrees.js');

type Loader = () => Promise<{ readonly renderers: Readonly<Record<string, Printer<never>>> }>;

/**
 * Files with the printers of operations, by the beginning of their names; the longest one counts. Loaded on demand:
 * `--json` loads none.
 */
const FILES: Readonly<Record<string, Loader>> = {
  'agency.': agency,
  'agency.merge': federation,
  'agency.pull': federation,
  'agency.push': federation,
  'agency.remote.': federation,
  'agency.scan': federation,
  'agency.stats': () => import('#surfaces/cli/render/agency-stats.js'),
  'agent.': agents,
  'analysis.': blocking,
  'analysis.next': () => import('#surfaces/cli/render/structure.js'),
  'analysis.report': () => import('#surfaces/cli/render/report.js'),
  'archive.': history,
  'artifact.': teamTasks,
  'blueprint.': () => import('#surfaces/cli/render/blueprints.js'),
  'blueprint.apply': casting,
  'bus.': bus,
  'casting.': casting,
  'catalog.': () => import('#surfaces/cli/render/catalog.js'),
  'config.': settings,
  'database.': () => import('#surfaces/cli/render/database.js'),
  'decision.': memory,
  'evaluation.': agency,
  'evolve.': () => import('#surfaces/cli/render/evolution.js'),
  'executor.': settings,
  'export.': handoffs,
  'format.': settings,
  'formation.': () => import('#surfaces/cli/render/formations.js'),
  'formation.check-handoffs': handoffs,
  'func.': () => import('#surfaces/cli/render/functions.js'),
  'gc.': history,
  'graph.': () => import('#surfaces/cli/render/simulation.js'),
  'graph.check': blocking,
  'graph.compact': history,
  'graph.viz': () => import('#surfaces/cli/render/viz.js'),
  'identity.': agency,
  'issues.': imports,
  'inbox.': memory,
  'machine.': workers,
  'member.': team,
  'memory.': memory,
  'model.': settings,
  'msg.': () => import('#surfaces/cli/render/messages.js'),
  'notify.': settings,
  'plan.': teamTasks,
  'playbook.': workflows,
  'project.': settings,
  'project.doctor': history,
  'project.git-merge': history,
  'replay.': history,
  'resource.': () => import('#surfaces/cli/render/figures.js'),
  'review.': () => import('#surfaces/cli/render/review.js'),
  'role.': agency,
  'roles.': () => import('#surfaces/cli/render/roles.js'),
  'roles.accept': roleLearning,
  'roles.as': roleLearning,
  'roles.candidates': roleLearning,
  'roles.graduate': roleLearning,
  'roles.proposals': roleLearning,
  'roles.propose': roleLearning,
  'roles.reject': roleLearning,
  'roster.': () => import('#surfaces/cli/render/roster.js'),
  'runs.': history,
  'session.': agents,
  'service.': () => import('#surfaces/cli/render/service.js'),
  'spend.': () => import('#surfaces/cli/render/spend.js'),
  'squad.': team,
  'status.': () => import('#surfaces/cli/render/status.js'),
  'status.work': () => import('#surfaces/cli/render/work.js'),
  'store.': history,
  'task.': () => import('#surfaces/cli/render/graph.js'),
  'task.answer': bus,
  'task.attempts': trace,
  'task.checkpoint': agents,
  'task.commit': worktrees,
  'task.context': blocking,
  'task.exec': agents,
  'task.import': imports,
  'task.output': agents,
  'task.prompt': agents,
  'task.review': teamTasks,
  'task.steps': trace,
  'task.show': () => import('#surfaces/cli/render/task.js'),
  'task.submit': teamTasks,
  'task.why': blocking,
  'team.': () => import('#surfaces/cli/render/team-talk.js'),
  'team.add': teams,
  'team.archive': teams,
  'team.create': teams,
  'team.disband': teams,
  'team.ensure': casting,
  'team.events': teams,
  'team.list': teams,
  'team.remove': teams,
  'team.rename': teams,
  'team.show': teams,
  'team.take': teamTasks,
  'team.task': teamTasks,
  'team.tasks': teamTasks,
  'teamsession.': memory,
  'token.': settings,
  'trace.': trace,
  'tradeoff.': agency,
  'work.': workflows,
  'worker.': workers,
  'workflow.': workflows,
  'worktree.': worktrees,
};
const BEGINNINGS = Object.keys(FILES).sort((one, other) => other.length - one.length);

/** Printer of the answers of an operation; one that follows the form of the answer if it has none of its own. */
export async function rendererOf(name: string): Promise<Printer<unknown>> {
  const beginning = BEGINNINGS.find((start) => name.startsWith(start));
  const own = beginning === undefined ? undefined : (await FILES[beginning]?.())?.renderers[name];
  return (own as Printer<unknown> | undefined) ?? (await import('./plain-view.js')).printPlainly;
}
