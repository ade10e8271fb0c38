import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PictureOptions, PictureRenderer, PictureType } from '../../../viewer/index.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useWorkspace } from '../workspace-context.ts';
import { type ShownPictures, type Subject, sceneOfSubject } from './print-subject.ts';
import { useLeavingSignal } from './use-leaving-signal.ts';

interface SaveRequest {
  readonly subject: Subject;
  readonly type: PictureType;
  readonly options: PictureOptions;
  readonly recipient: { readonly recipient?: string; readonly purpose?: string };
}

/** Saves a picture once the archive has entered its images in the access log; without the entry nothing is drawn. */
export const useSavePicture = (shown: ShownPictures, rendererOf: () => Promise<PictureRenderer>) => {
  const { t } = useTranslation('print');
  const { pictures } = useWorkspace();
  const failureText = useFailureText();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const leavingSignal = useLeavingSignal();

  const drawAndSave = async ({ subject, type, options }: SaveRequest, signal: AbortSignal) => {
    const renderer = await rendererOf();
    const scene = sceneOfSubject(shown.scene, subject);
    const picture = await renderer.render(scene, { ...options, aspect: shown.stageAspect, signal });
    const content = await picture.toBlob(type);
    signal.throwIfAborted();
    const ending = type === 'image/png' ? 'png' : 'jpg';
    saveFile({ name: `${t('fileName')}-${new Date().toLocaleDateString('sv-SE')}.${ending}`, content });
  };

  /** Resolves to whether the picture was saved. */
  const save = async (request: SaveRequest): Promise<boolean> => {
    const signal = leavingSignal();
    const fail = (reason: string) => {
      if (signal.aborted) return false;
      setProblem(t('notSaved', { reason }));
      setBusy(false);
      return false;
    };
    setBusy(true);
    setProblem(null);
    try {
      const imageUIDs = request.subject.images.map(({ drawn }) => drawn.id);
      await (await pictures()).logExport({ imageUIDs, ...request.recipient }, signal);
    } catch (error) {
      return fail(failureText(failureOfQuery(error)));
    }
    return drawAndSave(request, signal).then(
      () => true,
      () => fail(t('notDrawn')),
    );
  };
  return { isBusy, problem, save };
};
