import { type core, toJSONSchema } from 'zod/mini';
import type { JsonObject } from './json.js';

/**
 * JSON Schema of a schema: of what it accepts (`input`), or of what it returns (`output`). What JSON Schema cannot
 * say, such as a condition between two fields, is left out.
 */
export function jsonSchemaOf(schema: core.$ZodType, io: 'input' | 'output'): JsonObject {
  return toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Immutable lists in our code; in JSON Schema the word means a field that must not be sent.
      delete jsonSchema.readOnly;
    },
  }) as JsonObject;
}
