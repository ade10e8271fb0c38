import { parentPort } from 'node:worker_threads';
import { drawRadiograph } from './radiograph.ts';
import type { ImageIdentity, Recipe } from './recipe.ts';

export interface DrawRequest {
  readonly id: number;
  readonly recipe: Recipe;
  readonly identity: ImageIdentity;
}

export type DrawReply =
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly failure: string };

parentPort?.on('message', async ({ id, recipe, identity }: DrawRequest) => {
  try {
    const bytes = await drawRadiograph(recipe, identity);
    parentPort?.postMessage({ id, bytes } satisfies DrawReply, [bytes.buffer as ArrayBuffer]);
  } catch (error) {
    const failure = error instanceof Error ? error.message : 'unknown';
    parentPort?.postMessage({ id, failure } satisfies DrawReply);
  }
});
