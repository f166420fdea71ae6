import type { WorkflowFile } from '#core/catalog/workflow.js';

type Trigger = NonNullable<WorkflowFile['trigger']>;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const DAY =
  /\b(?:every|each|on|weekly on)\s+(mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(mon|tues|wednes|thurs|fri|satur|sun)days\b/;
const WEEKLY = /\bweekly\b|\b(?:every|each|once a|once per|per) week\b/;
const DAILY =
  /\b(?:daily|nightly)\b|\b(?:every|each) (?:day|morning|evening|night|noon)\b|\bonce (?:a|per) day\b|\bper day\b/;
const ARRIVAL =
  /\b(?:for|on) (?:every|each) new (?:task|ticket|issue|request)\b|\bwhen(?:ever)? (?:a|an|any|some) (?:new )?(?:task|ticket|issue|request) (?:is (?:added|opened|filed|ready)|arrives|comes in|appears)\b/;
const ALWAYS = /\b(?:heartbeat|continuously|constantly|around the clock|all the time)\b/;

/** When a process begins by itself, from the words of whoever wants it; undefined: when somebody says so. */
export function triggerFromWords(text: string): Trigger | undefined {
  const words = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
  const [, said = '', plain = ''] = DAY.exec(words) ?? [];
  const day = DAYS.find((short) => `${said}${plain}`.startsWith(short));
  if (day !== undefined) return { type: 'schedule', every: `weekly:${day}` };
  if (WEEKLY.test(words)) return { type: 'schedule', every: 'weekly:mon' };
  if (DAILY.test(words)) return { type: 'schedule', every: 'daily' };
  if (ARRIVAL.test(words)) return { type: 'event', event: 'task-added-to-ready' };
  return ALWAYS.test(words) ? { type: 'heartbeat' } : undefined;
}
