import path from 'node:path';
import { type Happening, happeningsIn, WorkflowRunIndex } from '#core/coordinator/happenings.js';
import { noticeBookIn } from '#core/coordinator/notice-book.js';
import { noticeText } from '#core/coordinator/notice-text.js';
import {
  DELIVERY,
  type DeliverDecision,
  NO_NOTICES,
  type NoticeFacts,
  nextNoticeAt,
  type WithNotices,
} from '#core/coordinator/notices.js';
import type { GraphView } from '#core/graph/view.js';
import { noticeRecipients } from '#core/settings/places.js';
import type { Settings } from '#core/settings/settings.js';
import { parseDuration } from '#kernel/duration.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { quietHoursIn } from '#kernel/quiet-hours.js';
import type { MachineContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import { localZone } from '#operations/workflows/triggers.js';
import type { FactsInput, HostOf, HostTools } from './host.js';
import { withReason } from './people-notifier.js';

/** Things found in the log since the position, kept until they are in the book. */
interface News {
  /** The last entry that was read. */
  readonly to: number;
  readonly happenings: readonly Happening[];
}

/** Host for notices: reads the log from the stored position, and sends notices by the configured channels. */
export class NoticesHost implements HostOf<'notices'> {
  private readonly context: MachineContext;
  private readonly tools: Pick<HostTools, 'errands' | 'store'>;
  private runs: WorkflowRunIndex | undefined;
  private news: News | undefined;
  private due: number | undefined;
  private latest: { readonly at: number; readonly settings: Settings } | undefined;

  constructor(tools: Pick<HostTools, 'errands' | 'store'>, context: MachineContext) {
    this.tools = tools;
    this.context = context;
  }

  readonly facts = async ({ view }: FactsInput): Promise<WithNotices> => {
    const settings = await this.settings();
    const channels = noticeRecipients(settings).map(({ channel }) => channel);
    this.due = undefined;
    if (channels.length === 0) {
      [this.news, this.runs] = [undefined, undefined];
      return { notices: NO_NOTICES };
    }
    const { about, every, quiet } = settings.notify;
    const facts: NoticeFacts = {
      channels,
      kinds: new Set(about),
      quiet: quiet === undefined ? undefined : quietHoursIn(quiet),
      zone: quiet === undefined ? 'UTC' : localZone(),
      everyMs: parseDuration(every),
      news: await this.read(view),
    };
    this.due = nextNoticeAt(noticeBookIn(view), facts, this.context.clock.now());
    return { notices: facts };
  };

  readonly carryOut: HostOf<'notices'>['carryOut'] = {
    'keep-notices': () => 1,
    'hear-notice': ({ key }) => {
      this.tools.errands.forget(key);
      return 0;
    },
    'deliver-notice': (decision, view) => {
      this.tools.errands.start(DELIVERY, decision.key, (signal) =>
        withReason(() => this.deliver(decision, view, signal)),
      );
      return 0;
    },
  };

  /** Time at which a tick has something to tell, in milliseconds; empty if there is none. */
  times(): readonly number[] {
    return this.due === undefined ? [] : [this.due];
  }

  /** The settings in force, cached for a moment. */
  private async settings(): Promise<Settings> {
    const now = this.context.clock.now();
    if (this.latest && Math.abs(now - this.latest.at) < WORK_LIMITS.clientLookMs) return this.latest.settings;
    const { settings } = await loadSettings(this.context);
    this.latest = { at: now, settings };
    return settings;
  }

  /** Reads the log from the stored position; without one, what happened before is not told. */
  private async read(view: GraphView): Promise<News> {
    this.runs ??= new WorkflowRunIndex(view);
    const position = noticeBookIn(view)?.position ?? view.seq;
    const before = this.news ?? { to: position, happenings: [] };
    const happenings = before.happenings.filter(({ seq }) => seq > position);
    if (view.seq > before.to) {
      const now = this.context.clock.now();
      for await (const entry of this.tools.store.entries(before.to + 1, view.seq))
        happenings.push(...happeningsIn(entry, view, this.runs, now));
    }
    this.news = { to: view.seq, happenings };
    return this.news;
  }

  private async deliver(
    { channel, notice: { id, happenings, more } }: DeliverDecision,
    view: GraphView,
    signal: AbortSignal,
  ): Promise<{ of: 'delivered' }> {
    const to = noticeRecipients(await this.settings()).find((one) => one.channel === channel)?.to ?? '';
    const project = path.basename(this.context.projectFolder);
    const notifier = await this.context.notifier(channel);
    await notifier.send({ id, to, ...noticeText(view, { project, happenings, more }) }, signal);
    return { of: 'delivered' };
  }
}
