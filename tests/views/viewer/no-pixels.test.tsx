import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type AppContext, AppContextProvider } from '../../../src/views/app/app-context.tsx';
import { transferSyntaxName } from '../../../src/views/language/transfer-syntax-name.ts';
import { NoPixelsState } from '../../../src/views/workspace/viewer/image-state.tsx';
import { anImage, idOf } from '../records.ts';
import { show } from '../render.tsx';

const document = anImage(idOf(1), { kind: 'document', width: 0, height: 0, frames: 0 });
const video = anImage(idOf(2), { kind: 'document', imageTransferSyntax: '1.2.840.10008.1.2.4.102' });

it('a report is a document without an image', async () => {
  await show(<NoPixelsState image={document} />);
  expect(screen.getByRole('heading').textContent).toBe('Document without an image');
  expect(screen.queryByRole('button')).toBeNull();
});

it('an image in an unsupported format names the compression and offers the file', async () => {
  const asked: (readonly string[])[] = [];
  const value = {
    download: async ({ imageUIDs }: { imageUIDs: readonly string[] }) => {
      asked.push(imageUIDs);
      return { content: new Blob(['zip']), leftOut: 0 };
    },
  };
  const gallery = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
  URL.createObjectURL = () => 'blob:zip';
  URL.revokeObjectURL = () => undefined;
  await show(
    <AppContextProvider value={{ gallery: () => gallery } as unknown as AppContext}>
      <NoPixelsState image={video} />
    </AppContextProvider>,
  );
  expect(screen.getByRole('heading').textContent).toBe('The format of this image is not supported');
  screen.getByText(/^Its compression is MPEG-4 AVC \(H\.264\)\. The archive keeps the file unchanged/);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /^Download the file/ })));
  expect(asked).toEqual([[video.uid]]);
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
