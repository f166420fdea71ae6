import { SYNC, type WithIssues } from '#core/coordinator/issues.js';
import { parseDuration } from '#kernel/duration.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { plural } from '#kernel/text.js';
import type { FilesContext, GraphContext, MachineContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import type { HostOf, HostTools } from './host.js';
import { withReason } from './people-notifier.js';

/** Host for the exchange of issues: on its own every `sync.every`, if a forge is set. */
export class IssuesHost implements HostOf<'issues'> {
  private readonly context: GraphContext & FilesContext & MachineContext;
  private readonly tools: Pick<HostTools, 'errands'>;
  private begunAt: number | undefined;
  private next: number | undefined;
  private lookedAt: number | undefined;

  constructor(tools: Pick<HostTools, 'errands'>, context: GraphContext & FilesContext & MachineContext) {
    this.tools = tools;
    this.context = context;
  }

  readonly facts = async (): Promise<WithIssues> => {
    const now = this.context.clock.now();
    if (this.lookedAt === undefined || Math.abs(now - this.lookedAt) >= WORK_LIMITS.clientLookMs) {
      const { sync } = (await loadSettings(this.context)).settings;
      this.lookedAt = now;
      this.next =
        sync.forge === undefined
          ? undefined
          : (this.begunAt ?? now - parseDuration(sync.every)) + parseDuration(sync.every);
    }
    return { issues: { due: this.next !== undefined && this.next <= now } };
  };

  readonly carryOut: HostOf<'issues'>['carryOut'] = {
    'sync-issues': () => {
      this.begunAt = this.context.clock.now();
      this.lookedAt = undefined;
      this.tools.errands.start(SYNC, SYNC.key(), (signal) =>
        withReason(async () => {
          const { syncBySettings } = await import('#operations/history/forge-sync.js');
          const { tasks, told } = await syncBySettings(this.context, signal);
          return { of: 'synced', text: `${plural(tasks.length, 'issue')} came, ${plural(told.length, 'thing')} told` };
        }),
      );
      return 0;
    },
    'hear-sync': () => {
      this.tools.errands.forget(SYNC.key());
      return 1;
    },
  };

  /** Time of the next exchange, in milliseconds; empty if no forge is set. */
  times(): readonly number[] {
    return this.next === undefined ? [] : [this.next];
  }
}
