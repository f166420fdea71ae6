import { teamTaskWord } from '#core/teams/team-task-word.js';
import { TroupeError } from '#kernel/errors.js';
import { inert, plural, shellWord } from '#kernel/text.js';
import { type Renderers, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

export const renderers = {
  'team.task': ({ id, member, plan_id }, screen) => {
    const { colour } = screen;
    const who = member === null ? 'whichever member takes it' : inert(member);
    screen.line(`${colour.bold(inert(id))} is for ${who}; the leader reviews it`);
    if (plan_id !== null) screen.line(`It starts when its plan ${colour.bold(inert(plan_id))} is approved`);
  },
  'team.take': ({ id, member, changed }, screen) =>
    screen.line(`${screen.colour.bold(inert(id))} ${changed ? 'is' : 'was'} taken by ${inert(member)}`),
  'team.tasks': ({ tasks, more }, screen) => {
    const { colour } = screen;
    if (tasks.length === 0) return screen.aside('No tasks found. Create one with `troupe team task TEAM TITLE`.');
    printTable(screen, tasks, [
      { title: 'ID', text: ({ id }) => inert(id), paint: (text) => colour.bold(text) },
      { title: 'STATUS', text: ({ status }) => teamTaskWord(status) },
      { title: 'WHO', text: ({ member }) => (member === null ? 'free' : inert(member)) },
      { title: 'REJECTED', text: ({ rejections }) => (rejections === 0 ? '' : String(rejections)), right: true },
      ['title…'],
    ]);
    if (more) screen.aside(`These are the first ${tasks.length}.`);
  },
  'artifact.list': ({ artifacts }, screen) => {
    const { colour } = screen;
    if (artifacts.length === 0) return screen.aside('No artifacts yet.');
    printTable(screen, artifacts, [
      { title: 'NAME', text: ({ name }) => inert(name), paint: (text) => colour.bold(text), flexible: true },
      ['state', 'TASK=task_id', 'BYTES=size', 'BY=created_by'],
      { title: 'ID', text: ({ id }) => id, paint: (text) => colour.dim(text) },
    ]);
  },
  'artifact.get': ({ artifact, encoding, content, file }, screen) => {
    if (file !== null) return screen.line(`${screen.colour.bold(inert(artifact.name))} is in ${inert(file)}`);
    if (encoding === 'utf-8') return screen.line(inert(content ?? '', true).trimEnd());
    // Without an error, redirected output would be an empty file that is mistaken for the content.
    throw new TroupeError('bad_input', {
      what: `${inert(artifact.name)} is not text.`,
      hint: `Run \`troupe team artifacts ${artifact.id} --get -o FILE\`.`,
    });
  },
  'artifact.put': ({ artifact }, screen) => {
    screen.line(`${screen.colour.bold(inert(artifact.name))} is stored for the team`);
    screen.line(screen.colour.dim(`artifact ${artifact.id}  sha256 ${artifact.sha256}`));
  },
  ...sharedBy(['task.submit', 'plan.submit'], ({ id, changed, artifact }, screen) => {
    const { colour } = screen;
    const was = changed ? 'is submitted' : 'was already submitted';
    screen.line(`${colour.bold(inert(artifact.name))} ${was} for ${inert(id)}, which needs review`);
    screen.line(colour.dim(`artifact ${artifact.id}  ${plural(artifact.size, 'byte')}  sha256 ${artifact.sha256}`));
  }),
  ...sharedBy(['task.review', 'plan.approve', 'plan.reject'], ({ id, status, verdict, ready, warnings }, screen) => {
    const { colour } = screen;
    const word = verdict === 'approve' ? 'is approved' : status === 'failed' ? 'has failed' : 'goes back to its member';
    screen.line(`${colour.bold(inert(id))} ${word}`);
    if (ready.length > 0) screen.line(`Ready now: ${ready.map((next) => inert(next)).join(', ')}`);
    if (status === 'failed') screen.aside(`Next: ${colour.cyan(`troupe reopen ${shellWord(id)}`)}`);
    for (const warning of warnings) screen.aside(`${colour.yellow('warning:')} ${inert(warning)}`);
  }),
  'plan.list': ({ plans, more }, screen) => {
    const { colour } = screen;
    if (plans.length === 0) {
      screen.aside('No plans yet.');
      return screen.aside(`Next: ${colour.cyan('troupe team task TEAM TITLE --to NAME --plan')}`);
    }
    printTable(screen, plans, [
      { title: 'TASK', text: ({ task_id }) => inert(task_id), paint: (text) => colour.bold(text) },
      ['PLAN=status', 'WHO=member'],
      { title: 'ARTIFACT', text: ({ artifact }) => artifact ?? '', paint: (text) => colour.dim(text) },
      ['feedback…'],
    ]);
    if (more) screen.aside(`These are the first ${plans.length}.`);
  },
} satisfies Partial<Renderers>;
