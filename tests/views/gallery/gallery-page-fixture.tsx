import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { GalleryPage } from '../../../src/views/gallery/gallery-page.tsx';
import { ToastStrip } from '../../../src/views/ui/toast-strip.tsx';
import { show } from '../render.tsx';
import { aGalleryOf, clinicId, type Request, WithGallery } from './gallery-fixture.tsx';

/** Renders the page over a gallery of `total` images. */
export const openGallery = async (
  total: number,
  {
    address = '/',
    answer,
    disabledReason = null,
    // Query cache of the replies.
    client = new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  }: {
    address?: string;
    answer?: (requests: Request) => unknown;
    disabledReason?: string | null;
    client?: QueryClient;
  } = {},
) => {
  window.history.replaceState(null, '', address);
  const archive = aGalleryOf(total, answer);
  const onOpen = vi.fn<(image: GalleryImage) => void>();
  const onCompare = vi.fn<(images: readonly GalleryImage[]) => void>();
  await show(
    <QueryClientProvider client={client}>
      <WithGallery call={archive.call}>
        <ToastStrip />
        <GalleryPage
          clinicId={clinicId}
          onOpen={onOpen}
          onCompare={onCompare}
          downloadDisabledReason={disabledReason}
          renderTeeth={(_, onChange) => (
            <button type="button" onClick={() => onChange([11])}>
              tooth 11
            </button>
          )}
        />
      </WithGallery>
    </QueryClientProvider>,
  );
  return { archive, onOpen, onCompare };
};

export const tile = (number: number) => screen.findByRole('option', { name: new RegExp(`Bitewing ${number}$`) });
export const chosen = () =>
  screen.getAllByRole('option', { selected: true }).flatMap(({ dataset }) => dataset.index ?? []);

/** Gives the page a box of 800 by 600 CSS pixels: four tiles of the default size per row. Call it once in a test file. */
export const withGalleryBox = () => {
  beforeAll(() => {
    for (const [name, value] of Object.entries({
      scrollHeight: 90_000_000,
      clientWidth: 800,
      clientHeight: 600,
      offsetWidth: 800,
      offsetHeight: 600,
    }))
      Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
    HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, options?: ScrollToOptions | number) {
      this.scrollTop = typeof options === 'object' ? (options.top ?? 0) : 0;
      this.dispatchEvent(new Event('scroll'));
    };
  });
  beforeEach(() => localStorage.clear());
  afterEach(cleanup);
};
