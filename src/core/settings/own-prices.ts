// The setting `budget.prices`: `gpt-5.5=5/30/0.5, house-model=0/0`.

const AMOUNT = String.raw`\d{1,6}(?:\.\d{1,6})?`;
const ENTRY = String.raw`\s*([^\s=,]{1,200})=(${AMOUNT})\/(${AMOUNT})(?:\/(${AMOUNT}))?\s*`;

/** Form of the whole text: entries separated by commas. */
export const OWN_PRICES = new RegExp(`^${ENTRY}(?:,${ENTRY})*$`);

/** A custom price for a model or a client, in US dollars per million tokens. */
export interface OwnPrice {
  readonly name: string;
  readonly input: number;
  readonly output: number;
  /** Price of cached input; defaults to `input`. */
  readonly cached?: number;
}

/** Parses a text of the form `OWN_PRICES`; empty without a text. */
export function ownPrices(text: string | undefined): readonly OwnPrice[] {
  return (text ?? '').split(',').flatMap((entry): OwnPrice[] => {
    const [, name, input, output, cached] = new RegExp(`^${ENTRY}$`).exec(entry) ?? [];
    if (name === undefined) return [];
    return [
      {
        name,
        input: Number(input),
        output: Number(output),
        ...(cached === undefined ? {} : { cached: Number(cached) }),
      },
    ];
  });
}
