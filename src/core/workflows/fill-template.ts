const PLACEHOLDER = /\{\{\s*input\.([A-Za-z0-9_-]{1,64})\s*\}\}/g;

/** The text with the values put in, each placeholder once: what a value brings along is never expanded again. */
export function fillText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (found, name: string) => values.get(name) ?? found);
}

/** The names of the inputs a text asks for, declared or not. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '');
}

export function placeholder(name: string): string {
  return `{{input.${name}}}`;
}
