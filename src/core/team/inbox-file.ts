import { frontMatterValue, readFrontMatter } from './front-matter.js';
import { ENTRY_TYPES, type EntryText } from './memory.js';
import { type Checked, checkedAgent, checkedLine, checkedSlug, checkedText } from './memory-checks.js';

const RATIONALE = '**Rationale:**';

/** An entry of the inbox from the text of its file, or why it is none. */
export function readInboxFile(text: string): { readonly entry: EntryText } | { readonly reason: string } {
  const read = readFrontMatter(text);
  if ('reason' in read) return read;
  const missing = ['agent', 'slug', 'type', 'title'].filter((key) => !read.fields.get(key));
  if (missing.length > 0) return { reason: `the front matter has no ${missing.join(', ')}` };
  const field = (key: string) => read.fields.get(key) ?? '';
  return checkedEntry({
    ...{ agent: field('agent'), slug: field('slug'), type: field('type'), title: field('title') },
    ...{ content: read.body, rationale: '' },
  });
}

/**
 * An entry in the form in which it is kept, wherever it comes from, or why it cannot be. What it says is the same after it was
 * written to a file and read again.
 */
export function checkedEntry(
  given: Readonly<Record<keyof EntryText, string>>,
): { readonly entry: EntryText } | { readonly reason: string } {
  const [agent, slug] = [checkedAgent(given.agent), checkedSlug(given.slug)];
  const [title, body] = [checkedLine('title', given.title), checkedText('the text', bodyOf(given))];
  const type = ENTRY_TYPES.find((known) => known === given.type);
  for (const part of [agent, slug, title, body]) if ('reason' in part) return part;
  if (type === undefined) return { reason: `type is none of ${ENTRY_TYPES.join(', ')}` };
  const entry = { agent: textOf(agent), slug: textOf(slug), type, title: textOf(title), ...splitBody(textOf(body)) };
  const back = readFrontMatter(renderInboxFile(entry));
  return 'reason' in back ? back : { entry };
}

export function renderInboxFile(entry: EntryText): string {
  const fields = ['agent', 'slug', 'type', 'title'] as const;
  const head = fields.map((key) => `${key}: ${frontMatterValue(entry[key])}`);
  const body = bodyOf(entry);
  return `${['---', ...head, '---', '', ...(body === '' ? [] : [body])].join('\n').trimEnd()}\n`;
}

/** The last line that begins with the mark begins the rationale. */
export function splitBody(body: string): { readonly content: string; readonly rationale: string } {
  const lines = body.split('\n');
  const at = lines.findLastIndex((line) => line.startsWith(RATIONALE));
  if (at === -1) return { content: body.trim(), rationale: '' };
  const rationale = lines.slice(at).join('\n').slice(RATIONALE.length).trim();
  return { content: lines.slice(0, at).join('\n').trim(), rationale };
}

/** Content and rationale as one text, from which `splitBody` reads them. */
export function bodyOf({ content, rationale }: { readonly content: string; readonly rationale: string }): string {
  const parts = [content.trim(), rationale.trim() === '' ? '' : `${RATIONALE} ${rationale.trim()}`];
  return parts.filter((part) => part !== '').join('\n\n');
}

export function sameEntry(left: EntryText, right: EntryText): boolean {
  return (['agent', 'slug', 'type', 'title', 'content', 'rationale'] as const).every((key) => left[key] === right[key]);
}

const textOf = (checked: Checked) => ('value' in checked ? checked.value : '');
