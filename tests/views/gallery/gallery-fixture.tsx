import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { type GalleryPage, imageSearchPrivate } from '../../../contract/gallery.ts';
import type { BodyOf, Route } from '../../../contract/route.ts';
import type { Call } from '../../../src/services/call.ts';
import { createGallery } from '../../../src/services/gallery.ts';
import { type AppContext, AppContextProvider } from '../../../src/views/app/app-context.tsx';
import { galleryPageOf } from '../../gallery-images.ts';
import { idOf } from '../records.ts';

export const clinicId = idOf(900_000);

export type Request = Omit<BodyOf<typeof imageSearchPrivate>, 'page' | 'ppage'> & {
  readonly page?: number;
  readonly ppage?: number;
};

/** Fakes an API with `total` images that pages and counts like the real one. */
export const aGalleryOf = (total: number, answer: (request: Request) => unknown = () => undefined) => {
  const requests: Request[] = [];
  const page = (request: Request): GalleryPage => galleryPageOf(total, request);
  const call = async (route: Route, options: { readonly body?: Request } = {}) => {
    if (route !== imageSearchPrivate || !options.body) throw new Error(`unexpected call: ${route.path}`);
    requests.push(options.body);
    return (await answer(options.body)) ?? page(options.body);
  };
  return { requests, page, call: call as unknown as Call };
};

/** Renders the gallery over that API. */
export const WithGallery = ({ call, children }: { readonly call: Call; readonly children: ReactNode }) => {
  const client = useQueryClient();
  const [appContext] = useState(() => {
    const value = createGallery('http://archive.example', call, client, async (attempt) => attempt('token'));
    // Marked as fulfilled the way React does, so that the first render does not suspend.
    const gallery = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
    return { gallery: () => gallery } as unknown as AppContext;
  });
  return (
    <AppContextProvider value={appContext}>
      <Suspense fallback={null}>{children}</Suspense>
    </AppContextProvider>
  );
};
