import type { RendererTable } from './screen.js';

const bus = () => import('#surfaces/cli/render/bus.js');
const casting = () => import('#surfaces/cli/render/casting.js');
const teams = () => import('#surfaces/cli/render/teams.js');
const handoffs = () => import('#surfaces/cli/render/handoffs.js');
const roster = () => import('#surfaces/cli/render/roster.js');
const roles = () => import('#surfaces/cli/render/roles.js');
const learning = () => import('#surfaces/cli/render/role-learning.js');
const work = () => import('#surfaces/cli/render/team-tasks.js');
const talk = () => import('#surfaces/cli/render/team-talk.js');

/**
 * Files with the printers for operations of teams, conversations and roles in files. Loaded when one of them is needed.
 */
export const TEAM_RENDERERS: RendererTable = {
  'roles.list': roles,
  'roles.show': roles,
  'roles.check': roles,
  'roles.evolve': roles,
  'roles.index': roles,
  'roles.learn': roles,
  'roles.retire': roles,
  'roles.revive': roles,
  'roles.as': learning,
  'roles.candidates': learning,
  'roles.graduate': learning,
  'roles.propose': learning,
  'roles.proposals': learning,
  'roles.accept': learning,
  'roles.reject': learning,
  'bus.send': bus,
  'bus.reply': bus,
  'bus.escalate': bus,
  'bus.list': bus,
  'bus.inbox': bus,
  'bus.read': bus,
  'bus.ack': bus,
  'bus.close': bus,
  'bus.undelivered': bus,
  'roster.office': roster,
  'roster.project': roster,
  'roster.workgroup': roster,
  'roster.team': roster,
  'roster.show': roster,
  'roster.sub-roster': roster,
  'roster.check': roster,
  'task.answer': bus,
  'export.claude-plugins': handoffs,
  'formation.check-handoffs': handoffs,
  'team.ensure': casting,
  'team.show': teams,
  'team.create': teams,
  'team.list': teams,
  'team.add': teams,
  'team.remove': teams,
  'team.rename': teams,
  'team.events': teams,
  'team.archive': teams,
  'team.disband': teams,
  'team.task': work,
  'team.take': work,
  'team.tasks': work,
  'artifact.list': work,
  'artifact.get': work,
  'artifact.put': work,
  'task.submit': work,
  'task.review': work,
  'plan.submit': work,
  'plan.approve': work,
  'plan.reject': work,
  'plan.list': work,
  'team.say': talk,
  'team.chat': talk,
  'team.use': talk,
  'team.strata': talk,
  'team.replan': talk,
  'team.plan-work': talk,
  'team.session-start': talk,
  'team.session-list': talk,
  'team.session-show': talk,
  'team.session-turn': talk,
  'team.session-conclude': talk,
  'team.session-cancel': talk,
};
