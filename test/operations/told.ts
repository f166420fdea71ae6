/** An answer as lines of a golden file: a line for each field, and one for each element of a list. */
export function told(answer: unknown): string[] {
  return fieldsOf(answer).flatMap(([name, rows]) => [`  ${name}`, ...(rows ?? []).map((row) => `    ${row}`)]);
}

/** The same apart: each field that is a list, of an object in an object too, has its elements as rows. */
export function fieldsOf(answer: unknown, path = ''): [name: string, rows: readonly string[] | undefined][] {
  if (Array.isArray(answer) && (path === '' || answer.some(isObject)))
    return [[`${path}:`, answer.map((one) => JSON.stringify(one))]];
  if (!isObject(answer) || (path !== '' && !Object.values(answer).some(Array.isArray)))
    return [[`${path}: ${JSON.stringify(answer)}`, undefined]];
  return Object.entries(answer).flatMap(([name, value]) => fieldsOf(value, path === '' ? name : `${path}.${name}`));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
