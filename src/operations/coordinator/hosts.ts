import { fileFacts } from '#operations/graph/file-facts.js';
import type { Context } from '#operations/operation.js';
import { commandPlaces } from '#operations/runs/workplaces.js';
import { agencyHost, watchedAgency } from './agency-watch.js';
import { checkpointsHost, keepCheckpoint } from './auto-checkpoint.js';
import { BreakerHost } from './breaker-host.js';
import { compactionHost } from './compaction-host.js';
import { completionHost } from './completion-host.js';
import { DispatchHost } from './dispatch-host.js';
import { Finishing } from './finishing.js';
import type { Hosts } from './host.js';
import type { HostTools } from './host-tools.js';
import { peopleById } from './people-by-id.js';
import { PeopleNotifier, type RoomMark } from './people-notifier.js';
import { askPlace, placesHost } from './placing.js';
import { ProvidersHost } from './providers-host.js';
import { RunsHost } from './runs-host.js';
import { SessionsHost } from './sessions-host.js';
import { triageRun } from './triage.js';
import { messagesHost, unreadFacts } from './unread.js';
import { waitsHost } from './waits-host.js';
import { WorkflowsHost } from './workflows-host.js';

/** The hosts of all parts; of some a round asks more than their facts. */
export interface RoundHosts extends Hosts {
  readonly breaker: BreakerHost;
  readonly dispatch: DispatchHost;
  readonly providers: ProvidersHost;
  readonly runs: RunsHost;
  readonly workflows: Hosts['workflows'] & Pick<WorkflowsHost, 'refusals'>;
}

/** Each part of a round in a project, by the names of the table in core. */
export function projectHosts(
  context: Context,
  { maxAgents, room, note }: { maxAgents: number; room: RoomMark; note: (text: string) => void },
): (tools: HostTools) => RoundHosts {
  return (tools) => ({
    sessions: new SessionsHost(tools, { ...context, note }),
    providers: new ProvidersHost(tools),
    runs: new RunsHost(tools, {
      maxAgents,
      finishing: new Finishing(context, note),
      triage: (dead, signal) => triageRun(context, dead, signal),
    }),
    breaker: new BreakerHost(tools),
    checkpoints: checkpointsHost(tools, (at) => keepCheckpoint(context, at)),
    waits: waitsHost((paths) => fileFacts(context, paths, 'skip')),
    messages: messagesHost(() => unreadFacts(context)),
    places: placesHost(tools, (task, signal) => askPlace(context, task, signal)),
    workflows: new WorkflowsHost(context, tools),
    agency: agencyHost(watchedAgency(context)),
    people: new PeopleNotifier(tools, { context, known: peopleById(context), room }),
    completion: completionHost(),
    dispatch: new DispatchHost(tools, commandPlaces(context)),
    compaction: compactionHost(),
  });
}
