import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ServiceError } from '../../../src/services/failure.ts';
import { type AppContext, AppContextProvider } from '../../../src/views/app/app-context.tsx';
import { transferSyntaxName } from '../../../src/views/language/transfer-syntax-name.ts';
import { NoPixelsState } from '../../../src/views/workspace/viewer/image-state.tsx';
import { anImage, idOf } from '../records.ts';
import { show } from '../render.tsx';

const document = anImage(idOf(1), { kind: 'document', width: 0, height: 0, frames: 0 });
const pdf = anImage(idOf(3), { kind: 'document', documentType: 'pdf', width: 0, height: 0, frames: 0 });
const oldVideo = anImage(idOf(2), { kind: 'document', imageTransferSyntax: '1.2.840.10008.1.2.4.100' });
const video = anImage(idOf(4), {
  kind: 'document',
  isVideo: true,
  imageTransferSyntax: '1.2.840.10008.1.2.4.107',
  imageAcquiredDate: '2026-03-01',
});

const loaded = <Value,>(value: Value) => Object.assign(Promise.resolve(value), { status: 'fulfilled', value });

const withGallery = (value: object, image: ReturnType<typeof anImage>) => {
  const gallery = loaded(value);
  URL.createObjectURL = () => 'blob:made';
  URL.revokeObjectURL = () => undefined;
  return show(
    <AppContextProvider value={{ gallery: () => gallery } as unknown as AppContext}>
      <NoPixelsState image={image} />
    </AppContextProvider>,
  );
};

/** A gallery that records which images were downloaded. */
const downloading = () => {
  const asked: (readonly string[])[] = [];
  const download = async ({ imageUIDs }: { imageUIDs: readonly string[] }) => {
    asked.push(imageUIDs);
    return { content: new Blob(['zip']), leftOut: 0 };
  };
  return { asked, download };
};
const downloadFile = () => act(async () => fireEvent.click(screen.getByRole('button', { name: /^Download the file/ })));

it('a report is a document without an image, and its file is offered', async () => {
  const { asked, download } = downloading();
  await withGallery({ download }, document);
  expect(screen.getByRole('heading').textContent).toBe('Document without an image');
  await downloadFile();
  expect(asked).toEqual([[document.uid]]);
});

it('an image in an unsupported format names the compression and offers the file', async () => {
  const { asked, download } = downloading();
  await withGallery({ download }, oldVideo);
  expect(screen.getByRole('heading').textContent).toBe('The format of this image is not supported');
  screen.getByText(/^Its compression is MPEG-2\. The archive keeps the file unchanged/);
  await downloadFile();
  expect(asked).toEqual([[oldVideo.uid]]);
});

it('a video is fetched and played, and saved', async () => {
  const asked: string[] = [];
  await withGallery(
    {
      document: async (uid: string) => {
        asked.push(uid);
        return new Blob(['video']);
      },
    },
    video,
  );
  const player = await screen.findByLabelText('Video');
  expect([player.tagName, player.getAttribute('src'), player.hasAttribute('controls')]).toEqual([
    'VIDEO',
    'blob:made',
    true,
  ]);
  screen.getByRole('button', { name: 'Save video' });
  expect(asked).toEqual([video.uid]);
});

it('a video that the browser cannot play names its codec and is saved', async () => {
  await withGallery({ document: async () => new Blob(['video']) }, video);
  fireEvent.error(await screen.findByLabelText('Video'));
  await screen.findByText('This browser cannot play the video');
  screen.getByText(/Play it in a browser with HEVC \(H\.265\), or save it/);
  screen.getByRole('button', { name: 'Save video' });
});

it('a video that cannot be read says so, and its file is offered', async () => {
  const { asked, download } = downloading();
  const refused = new ServiceError({ kind: 'refused', status: 422, code: 'image-not-readable' } as never);
  await withGallery({ document: () => Promise.reject(refused), download }, video);
  await screen.findByText('The video cannot be read');
  screen.getByRole('button', { name: 'Try again' });
  await downloadFile();
  expect(asked).toEqual([[video.uid]]);
});

it('a PDF is fetched, and opened or saved', async () => {
  const asked: string[] = [];
  await withGallery(
    {
      document: async (uid: string) => {
        asked.push(uid);
        return new Blob(['%PDF-']);
      },
    },
    pdf,
  );
  const link = await screen.findByRole('link', { name: 'Open PDF' });
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['blob:made', '_blank']);
  screen.getByRole('button', { name: 'Save PDF' });
  expect(asked).toEqual([pdf.uid]);
});

it('a PDF that cannot be read says so, and can be fetched again', async () => {
  let isDamaged = true;
  await withGallery(
    {
      document: async () => {
        if (isDamaged) throw new ServiceError({ kind: 'refused', status: 422, code: 'image-not-readable' } as never);
        return new Blob(['%PDF-']);
      },
    },
    pdf,
  );
  await screen.findByText('The document cannot be read');
  isDamaged = false;
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })));
  await screen.findByRole('link', { name: 'Open PDF' });
});

it.each([
  ['1.2.840.10008.1.2.4.100.1', 'MPEG-2'],
  ['1.2.840.10008.1.2.4.108', 'HEVC (H.265)'],
  ['1.2.840.10008.1.2.4.110', 'JPEG XL'],
  ['1.2.840.10008.1.2.4.205', 'JPIP'],
  ['1.2.840.113619.5.2', '1.2.840.113619.5.2'],
])('names transfer syntax %s', (uid, name) => {
  expect(transferSyntaxName(uid)).toBe(name);
});
