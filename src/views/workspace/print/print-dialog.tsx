import { Button, Checkbox, Modal } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Paper, type PrintRequest, type PrintScale, papers, printScales } from '../../../../contract/print.ts';
import { layoutOf } from '../../../../contract/print-layout.ts';
import { noRecipient, RecipientFields, recipientBody } from '../../forms/recipient-fields.tsx';
import { defaultLanguage, languageOf } from '../../language/languages.ts';
import { useToothNotation } from '../../language/tooth-notation.ts';
import { today } from '../../ui/dates.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Choice, SubjectChoice } from './choice.tsx';
import classes from './print.module.css';
import { PrintPreview } from './print-preview.tsx';
import { layoutRequestOf, type ShownPictures, subjectsOf } from './print-subject.ts';
import { usePictureRenderer, usePreviewPictures, usePrintedPictures } from './use-pictures.ts';
import { usePrint } from './use-print.ts';

/** The finished PDF: open it in the browser's viewer, or save it. */
export const PrintReady = ({ content }: { readonly content: Blob }) => {
  const { t } = useTranslation('print');
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(content);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [content]);
  const open = useRef<HTMLAnchorElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (url) open.current?.focus();
  }, [url]);
  const name = `${t('fileName')}-${today()}.pdf`;
  return (
    <div className={classes.ready}>
      <p role="status">{t('ready')}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => saveFile({ name, content })}>
          {t('savePdf')}
        </Button>
        {url && (
          <Button ref={open} component="a" href={url} target="_blank">
            {t('openPdf')}
          </Button>
        )}
      </div>
    </div>
  );
};

interface PrintDialogProps {
  readonly shown: ShownPictures;
  readonly onClose: () => void;
}

/** Makes a PDF of what the viewer shows, with a preview of its first page. */
export const PrintDialog = ({ shown: shownNow, onClose }: PrintDialogProps) => {
  // What was displayed when the dialog opened.
  const [shown] = useState(shownNow);
  const { t, i18n } = useTranslation(['print', 'shell']);
  const [notation] = useToothNotation();
  const [subjects] = useState(() => subjectsOf(shown));
  const [chosen, setChosen] = useState(0);
  const [paper, setPaper] = useState<Paper>('a4');
  const [scale, setScale] = useState<PrintScale>('fit');
  const [withMarks, setWithMarks] = useState(!shown.scene.marksHidden);
  const [withPersonalNumber, setWithPersonalNumber] = useState(true);
  const [withNotes, setWithNotes] = useState(false);
  const [recipient, setRecipient] = useState(noRecipient);
  const rendererOf = usePictureRenderer(shown.images);
  const { state, create } = usePrint(shown, rendererOf);
  const subject = subjects[chosen] ?? { kind: 'image' as const, images: [] };
  const marks = withMarks ? { words: shown.words, locale: i18n.language } : {};
  const pictures = usePrintedPictures(shown, subject);
  const urls = usePreviewPictures(shown, subject, rendererOf, marks);
  const isLoaded = pictures !== null && pictures !== 'failed';
  const layout = isLoaded ? layoutOf(layoutRequestOf(shown, subject, pictures, { paper, scale })) : null;
  const problem = layout && 'problem' in layout ? layout.problem : null;
  const isBusy = state.is === 'creating';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isLoaded || !layout || 'problem' in layout || isBusy) return;
    const viewset = subject.kind === 'mount' && shown.content.kind === 'mount' ? shown.content.viewset : null;
    const request: PrintRequest = {
      language: languageOf(i18n.language) ?? defaultLanguage,
      notation,
      paper,
      scale,
      viewset: viewset && { id: viewset.viewSetUuid, version: viewset.version },
      pictures: [...pictures],
      withPersonalNumber,
      withNotes,
      ...recipientBody(recipient),
    };
    void create({ request, subject, layout, marks });
  };

  const preview = () => {
    if (pictures === 'failed' || urls === null) return <p className={classes.waiting}>{t('previewFailed')}</p>;
    if (!layout) return <p className={classes.waiting}>{t('previewLoading')}</p>;
    if ('problem' in layout) return <p className={classes.waiting}>{t(layout.problem)}</p>;
    const facts = { shown, subject, layout, urls, withPersonalNumber };
    return <PrintPreview {...facts} isTrueSize={scale === 'true-size'} />;
  };
  const check = (label: string, checked: boolean, onChange: (checked: boolean) => void) => (
    <Checkbox
      label={label}
      disabled={isBusy}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('printTitle')}
      size={980}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div className={classes.layout}>
        <div className={classes.preview}>{preview()}</div>
        {state.is === 'ready' ? (
          <PrintReady content={state.content} />
        ) : (
          <form className={classes.form} onSubmit={submit}>
            <SubjectChoice subjects={subjects} chosen={chosen} disabled={isBusy} onChoose={setChosen} />
            <Choice
              label={t('paper')}
              value={paper}
              options={papers.map((value) => ({ value, label: t(`paper-${value}`) }))}
              disabled={isBusy}
              onChange={setPaper}
            />
            <Choice
              label={t('scale')}
              value={scale}
              options={printScales.map((value) => ({ value, label: t(`scale-${value}`) }))}
              disabled={isBusy}
              description={scale === 'true-size' ? t('trueSizeHelp') : undefined}
              error={problem && t(problem)}
              onChange={setScale}
            />
            {check(t('withMarks'), withMarks, setWithMarks)}
            {check(t('withPersonalNumber'), withPersonalNumber, setWithPersonalNumber)}
            {check(t('withNotes'), withNotes, setWithNotes)}
            <RecipientFields value={recipient} disabled={isBusy} description={t('logged')} onChange={setRecipient} />
            {state.is === 'editing' && state.problem && (
              <div role="alert">
                <IconAlert>{state.problem}</IconAlert>
              </div>
            )}
            <div className={classes.buttons}>
              {/* While the images load it can be focused, or the dialog would open without the focus. */}
              <Button
                type="submit"
                data-autofocus
                loading={isBusy}
                disabled={problem !== null}
                data-disabled={isLoaded ? undefined : true}
                aria-disabled={!isLoaded}
              >
                {t('create')}
              </Button>
            </div>
          </form>
        )}
      </div>
    </Modal>
  );
};
