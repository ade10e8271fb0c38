import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../ui/save-file.ts';
import classes from './print.module.css';

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
  const name = `${t('fileName')}-${new Date().toLocaleDateString('sv-SE')}.pdf`;
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
