import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PrintRequest } from '../../../../contract/print.ts';
import type { PrintLayout } from '../../../../contract/print-layout.ts';
import type { PictureOptions, PictureRenderer } from '../../../viewer/index.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { useWorkspace } from '../workspace-context.ts';
import { type ShownPictures, type Subject, sceneAlone } from './print-subject.ts';
import { useLeavingSignal } from './use-leaving-signal.ts';

/** Pixels per millimetre on paper: 400 dpi, more than office printers show. */
const pixelsPerMm = 400 / 25.4;
/** CSS pixels per millimetre at which marks are drawn: their text is about 2 mm high. */
const markPixelsPerMm = 6;

interface PrintJob {
  readonly request: PrintRequest;
  readonly subject: Subject;
  readonly layout: PrintLayout;
  readonly marks: Pick<PictureOptions, 'words' | 'locale'>;
}

export type PrintState =
  | { readonly is: 'editing'; readonly problem: string | null }
  | { readonly is: 'creating' }
  | { readonly is: 'ready'; readonly content: Blob };

class DrawingError extends Error {}

/** Draws the pictures of a print and fetches its PDF. Stops when the component unmounts. */
export const usePrint = (shown: ShownPictures, rendererOf: () => Promise<PictureRenderer>) => {
  const { t } = useTranslation('print');
  const { pictures } = useWorkspace();
  const failureText = useFailureText();
  const [state, setState] = useState<PrintState>({ is: 'editing', problem: null });
  const leavingSignal = useLeavingSignal();

  const draw = async ({ subject, layout, marks }: PrintJob, signal: AbortSignal): Promise<Blob[]> => {
    const renderer = await rendererOf();
    const boxes = new Map(layout.pages.flat().map(({ index, picture }) => [index, picture]));
    const blobs: Blob[] = [];
    for (const [index, { drawn }] of subject.images.entries()) {
      const box = boxes.get(index);
      const maxMm = box ? Math.max(box.width, box.height) : 0;
      const picture = await renderer.render(sceneAlone(shown.scene, drawn), {
        ...marks,
        longestSide: Math.ceil(maxMm * pixelsPerMm),
        shownSide: maxMm * markPixelsPerMm,
        signal,
      });
      blobs.push(await picture.toBlob('image/png'));
    }
    return blobs;
  };

  const create = async (job: PrintJob): Promise<void> => {
    const signal = leavingSignal();
    setState({ is: 'creating' });
    try {
      const blobs = await draw(job, signal).catch((cause: unknown) => {
        throw new DrawingError('A picture was not drawn', { cause });
      });
      const content = await (await pictures()).print(job.request, blobs, signal);
      if (!signal.aborted) setState({ is: 'ready', content });
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof DrawingError ? t('notDrawn') : failureText(failureOfQuery(error));
      setState({ is: 'editing', problem: t('notCreated', { reason }) });
    }
  };
  return { state, create };
};
