import { type ParamsOf, pathOf, type Route } from '../../contract/route.ts';
import type { WithBearer } from './call.ts';
import { readBody, requireSuccess } from './raw-response.ts';
import { sendRaw } from './send.ts';

export type LoadFile = <R extends Route>(route: R, params: ParamsOf<R>) => Promise<Blob>;

/** Creates the call of routes that reply with a small file. @throws ServiceError */
export const createLoadFile =
  (origin: string, withBearer: WithBearer): LoadFile =>
  async ({ method, path }, params) => {
    const { signal } = new AbortController();
    const url = `${origin}${pathOf(path, params as Readonly<Record<string, string>>)}`;
    const response = await withBearer((bearer) => sendRaw(url, { method, bearer, signal }));
    await requireSuccess(response, `${method} ${path}`);
    return readBody(() => response.blob(), signal);
  };
