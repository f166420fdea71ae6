import { isComplete } from '#core/coordinator/complete.js';
import type { UnreadFact } from '#core/coordinator/resurrect.js';
import { awaitedOutside, type FileFacts } from '#core/graph/wait.js';
import type { Message } from '#core/mail/message.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { fileFacts } from '#operations/graph/file-facts.js';
import type { Context } from '#operations/operation.js';
import { commandPlaces } from '#operations/runs/workplaces.js';
import type { Workers } from '#ports/workers.js';
import { agencyHost, peopleById, watchedAgency } from './agency-watch.js';
import { checkpointsHost, keepCheckpoint } from './auto-checkpoint.js';
import { ConversationsHost } from './conversations-host.js';
import { DispatchHost } from './dispatch-host.js';
import { Finishing } from './finishing.js';
import { formationsHost } from './formations-host.js';
import { commitOnly, type HostOf, type Hosts, type HostTools } from './host.js';
import { IssuesHost } from './issues-host.js';
import { NoticesHost } from './notices-host.js';
import { PeopleNotifier, type RoomMark } from './people-notifier.js';
import { askPlace, placesHost } from './placing.js';
import { BreakerHost, ProvidersHost } from './providers-host.js';
import { reviewsHost } from './reviews-host.js';
import { RunsHost, triageRun } from './runs-host.js';
import { SessionsHost } from './sessions-host.js';
import { workerFactsHost } from './worker-facts-host.js';
import { WorkflowsHost } from './workflows-host.js';

/** The hosts of all parts; a round uses more than the facts of some. */
export interface RoundHosts extends Hosts {
  readonly breaker: BreakerHost;
  readonly dispatch: DispatchHost;
  readonly issues: Hosts['issues'] & Pick<IssuesHost, 'times'>;
  readonly notices: Hosts['notices'] & Pick<NoticesHost, 'times'>;
  readonly providers: ProvidersHost;
  readonly runs: RunsHost;
  readonly workflows: Hosts['workflows'] & Pick<WorkflowsHost, 'refusals'>;
}

/** The hosts of all parts in a project, under their names in core. */
export function projectHosts(
  context: Context,
  {
    maxAgents,
    room,
    workers,
    note,
  }: { maxAgents: number; room: RoomMark; workers: Workers; note: (text: string) => void },
): (tools: HostTools) => RoundHosts {
  return (tools) => ({
    sessions: new SessionsHost(tools, { ...context, note }),
    providers: new ProvidersHost(tools),
    runs: new RunsHost(tools, {
      maxAgents,
      finishing: new Finishing(context, note, workers),
      commitTurn: async (task, fence) => (await context.mail()).commitTurn(task, fence),
      triage: (dead, signal) => triageRun(context, dead, signal),
    }),
    breaker: new BreakerHost(tools),
    checkpoints: checkpointsHost(tools, (at) => keepCheckpoint(context, at)),
    waits: waitsHost((paths) => fileFacts(context, paths, 'skip')),
    reviews: reviewsHost(tools, context),
    conversations: new ConversationsHost(context),
    messages: messagesHost(() => unreadFacts(context)),
    places: placesHost(tools, (task, signal) => askPlace(context, task, signal)),
    workflows: new WorkflowsHost(context, tools),
    formations: formationsHost(tools, context),
    agency: agencyHost(watchedAgency(context)),
    people: new PeopleNotifier(tools, { context, people: peopleById(context), room }),
    completion: completionHost(),
    dispatch: new DispatchHost(tools, commandPlaces(context), workerFactsHost(context, workers)),
    compaction: compactionHost(),
    issues: new IssuesHost(tools, context),
    notices: new NoticesHost(tools, context),
  });
}

function compactionHost(): HostOf<'compaction'> {
  return {
    facts: async ({ clients }) => ({ compaction: clients.compaction }),
    carryOut: { 'settle-due': commitOnly },
  };
}

/** Announces completion once; a completion before the start of the service counts as announced. */
export function completionHost(): HostOf<'completion'> {
  let completed: boolean | undefined;
  return {
    facts: async ({ view }) => {
      const complete = isComplete(view);
      if (completed === undefined || !complete) completed = complete;
      return { completed };
    },
    carryOut: {
      note: () => {
        completed = true;
        return 0;
      },
    },
  };
}

/** Checks the files that tasks wait for, if there are such tasks. */
export function waitsHost(look: (paths: Iterable<string>) => Promise<FileFacts>): HostOf<'waits'> {
  return {
    facts: async ({ view }) => ({
      files: view.count('waiting') === 0 ? new Map() : await look(awaitedOutside(view).paths),
    }),
    carryOut: { 'settle-due': commitOnly },
  };
}

/**
 * Unread messages to finished tasks; nothing is read if there are none. An unreadable teams.db must not stop the runs.
 */
function messagesHost(read: () => Promise<readonly UnreadFact[]>): HostOf<'messages'> {
  return {
    facts: async ({ view }) => ({ unread: view.count('done') === 0 ? [] : await read().catch(() => []) }),
    carryOut: { resurrect: commitOnly },
  };
}

/** Messages that no run of their task has read, as facts for a tick. */
async function unreadFacts(context: Pick<Context, 'mail'>): Promise<readonly UnreadFact[]> {
  const unread = await (await context.mail()).unreadTalk(WORK_LIMITS.unreadConversations);
  return unread.flatMap(({ task, messages }) => messages.map((message) => factOf(task, message)));
}

function factOf(task: string, { number, created_at: at, sender, speaks_for }: Message): UnreadFact {
  const from = sender.startsWith('human/') ? 'person' : sender.startsWith('run/') ? 'run' : 'coordinator';
  return { task, number, at, from, ...(speaks_for.startsWith('task/') ? { speaksFor: speaks_for.slice(5) } : {}) };
}
