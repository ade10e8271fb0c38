import { Button } from '@mantine/core';
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeading } from '../ui/page-heading.tsx';
import { CheckForm } from './check-form.tsx';
import { CheckList } from './check-list.tsx';
import classes from './monitor.module.css';
import { PatternCanvas } from './pattern-canvas.tsx';

/** A test pattern that the user looks at, what the user sees, and the latest checks of the clinic. */
export const MonitorPage = ({ clinicId }: { readonly clinicId: string }) => {
  const { t } = useTranslation('monitor');
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const patternSize = () => ({ width: canvas.current?.width ?? 0, height: canvas.current?.height ?? 0 });
  return (
    <div className={classes.page}>
      <PageHeading>{t('title')}</PageHeading>
      <p className={classes.lead}>{t('lead')}</p>
      <div className={classes.check}>
        <div className={classes.side}>
          <PatternCanvas canvas={canvas} label={t('pattern')} />
          {document.fullscreenEnabled && (
            <div className={classes.full}>
              <Button
                variant="default"
                leftSection={<IconMaximize aria-hidden="true" />}
                onClick={() => void canvas.current?.requestFullscreen()}
              >
                {t('fullScreen')}
              </Button>
              <span className={classes.dimmed}>{t('fullScreenHelp')}</span>
            </div>
          )}
        </div>
        <CheckForm clinicId={clinicId} patternSize={patternSize} />
      </div>
      <CheckList clinicId={clinicId} />
    </div>
  );
};
