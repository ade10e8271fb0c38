import { Button, Checkbox, Modal } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PictureOptions, PictureRenderer, PictureType } from '../../../viewer/index.ts';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { noRecipient, RecipientFields, recipientBody } from '../../forms/recipient-fields.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { today } from '../../ui/dates.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useWorkspace } from '../workspace-context.ts';
import { Choice, SubjectChoice } from './choice.tsx';
import classes from './print.module.css';
import { daysOf, type ShownPictures, type Subject, sceneOfSubject, subjectsOf } from './print-subject.ts';
import { useLeavingSignal } from './use-leaving-signal.ts';
import { usePictureRenderer } from './use-pictures.ts';

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
    saveFile({ name: `${t('fileName')}-${today()}.${ending}`, content });
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

const formats = ['png', 'jpeg'] as const;
type Format = (typeof formats)[number];
const types = { png: 'image/png', jpeg: 'image/jpeg' } as const satisfies Record<Format, PictureType>;

/** Longest side of the preview, in pixels. */
const previewSide = 900;

/** Object URL of a small picture; null while it is drawn, '' when that failed. */
const usePreview = (
  shown: ShownPictures,
  subject: Subject,
  rendererOf: () => Promise<PictureRenderer>,
  { words, locale, strip }: PictureOptions,
): string | null => {
  const { scene, stageAspect: aspect } = shown;
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let made: string | null = null;
    const options = { longestSide: previewSide, aspect, signal, ...(words && { words }), ...(locale && { locale }) };
    const draw = async () => {
      const renderer = await rendererOf();
      const picture = await renderer.render(sceneOfSubject(scene, subject), { ...options, ...(strip && { strip }) });
      const content = await picture.toBlob('image/png');
      signal.throwIfAborted();
      made = URL.createObjectURL(content);
      setUrl(made);
    };
    draw().catch(() => !signal.aborted && setUrl(''));
    return () => {
      leaving.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [scene, aspect, subject, rendererOf, words, locale, strip]);
  return url;
};

interface SavePictureDialogProps {
  readonly shown: ShownPictures;
  readonly onClose: () => void;
}

/** Saves what the viewer shows as one picture file. */
export const SavePictureDialog = ({ shown: shownNow, onClose }: SavePictureDialogProps) => {
  // What was displayed when the dialog opened.
  const [shown] = useState(shownNow);
  const { t, i18n } = useTranslation(['print', 'shell']);
  const [subjects] = useState(() => subjectsOf(shown));
  const [chosen, setChosen] = useState(0);
  const [format, setFormat] = useState<Format>('png');
  const [withMarks, setWithMarks] = useState(!shown.scene.marksHidden);
  const [withIdentity, setWithIdentity] = useState(false);
  const [recipient, setRecipient] = useState(noRecipient);
  const rendererOf = usePictureRenderer(shown.images);
  const { isBusy, problem, save } = useSavePicture(shown, rendererOf);
  const subject = subjects[chosen] ?? { kind: 'image' as const, images: [] };
  const { name, personalNumber, protectedIdentity } = shown.patient;
  const days = daysOf(subject);
  const identity = [
    name,
    personalNumber,
    protectedIdentity && t('protectedIdentity'),
    days.length > 0 && t('exposed', { day: days.join(', ') }),
  ];
  const options: PictureOptions = {
    ...(withMarks && { words: shown.words, locale: i18n.language }),
    ...(withIdentity && { strip: identity.filter(Boolean).join(' · ') }),
  };
  const preview = usePreview(shown, subject, rendererOf, options);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const request = { subject, type: types[format], options, recipient: recipientBody(recipient) };
    if (await save(request)) onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('saveTitle')}
      size={980}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div className={classes.layout}>
        <div className={classes.preview}>
          {preview ? (
            <img className={classes.picture} src={preview} alt={t('preview')} />
          ) : (
            <p className={classes.waiting}>{t(preview === null ? 'previewLoading' : 'previewFailed')}</p>
          )}
        </div>
        <form className={classes.form} onSubmit={(event) => void submit(event)}>
          <SubjectChoice subjects={subjects} chosen={chosen} disabled={isBusy} onChoose={setChosen} />
          <Choice
            label={t('format')}
            value={format}
            options={formats.map((value) => ({ value, label: t(`format-${value}`) }))}
            disabled={isBusy}
            onChange={setFormat}
          />
          <Checkbox
            label={t('withMarks')}
            disabled={isBusy}
            checked={withMarks}
            onChange={(event) => setWithMarks(event.currentTarget.checked)}
          />
          <Checkbox
            label={t('withIdentity')}
            disabled={isBusy}
            checked={withIdentity}
            onChange={(event) => setWithIdentity(event.currentTarget.checked)}
          />
          <RecipientFields value={recipient} disabled={isBusy} description={t('logged')} onChange={setRecipient} />
          {problem && (
            <div role="alert">
              <IconAlert>{problem}</IconAlert>
            </div>
          )}
          <div className={classes.buttons}>
            <Button type="submit" data-autofocus loading={isBusy}>
              {t('save')}
            </Button>
          </div>
        </form>
      </div>
    </Modal>
  );
};
