import { Button } from '@mantine/core';
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs';
import { useTranslation } from 'react-i18next';
import { failureOfQuery } from '../../app/queries-context.tsx';
import { useRecordFailureText } from '../../language/failure-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { saveFile } from '../../ui/save-file.ts';
import classes from './stage-state.module.css';
import { useDocument } from './use-document.ts';

/** A PDF that the archive keeps: opened in the browser's viewer, or saved. */
export const PdfDocument = ({ imageUid }: { readonly imageUid: string }) => {
  const { t } = useTranslation(['viewer', 'print', 'shell']);
  const failureText = useRecordFailureText();
  const { fetched, retry } = useDocument(imageUid);
  const common = { title: t('pdfTitle'), icon: <IconFileText /> };
  if (fetched.is === 'loading') return <Notice {...common} text={t('pdfLoading')} />;
  if (fetched.is === 'failed') {
    const failure = failureOfQuery(fetched.error);
    return (
      <Notice
        {...common}
        urgent
        text={failure.code === 'image-not-readable' ? t('pdfNotReadable') : failureText(failure)}
        action={
          <Button variant="default" onClick={retry}>
            {t('shell:retry')}
          </Button>
        }
      />
    );
  }
  const { content, url } = fetched;
  const name = `${t('pdfFileName')}-${new Date().toLocaleDateString('sv-SE')}.pdf`;
  return (
    <Notice
      {...common}
      text={t('pdfText')}
      action={
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => saveFile({ name, content })}>
            {t('print:savePdf')}
          </Button>
          <Button component="a" href={url} target="_blank">
            {t('print:openPdf')}
          </Button>
        </div>
      }
    />
  );
};
