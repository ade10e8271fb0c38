import { Component, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { AuthButton } from '../../ui/auth-controls.tsx';
import { lazyComponent } from '../../ui/lazy-component.ts';
import { Notice } from '../../ui/notice.tsx';
import type { CaughtError } from './error-report.ts';
import classes from './isolated.module.css';

const beside = (crash: ReactNode) => <div className={classes.error}>{crash}</div>;

/** Isolates content beside or above the page: its error is shown in a corner and the page keeps working. */
export const Isolated = ({ place, children }: { place: string; children: ReactNode }) => (
  <ErrorBoundary place={place} frame={beside} isPage={false}>
    <Suspense fallback={null}>{children}</Suspense>
  </ErrorBoundary>
);

const ErrorDetails = lazyComponent(async () => (await import('./error-details.tsx')).ErrorDetails);

const Crash = ({ caught, isPage }: { caught: CaughtError; isPage: boolean }) => {
  const { t } = useTranslation('shell');
  return (
    <Notice
      isPage={isPage}
      urgent
      title={t('crashTitle')}
      text={t('crashText')}
      action={
        <>
          <AuthButton onClick={() => window.location.reload()}>{t('reload')}</AuthButton>
          <Suspense fallback={null}>
            <ErrorDetails caught={caught} />
          </Suspense>
        </>
      }
    />
  );
};

interface Failed {
  readonly caught: CaughtError;
  /** Path at which it failed; null until known. */
  readonly at: string | null;
}

interface ErrorBoundaryProps {
  readonly place: string;
  readonly children: ReactNode;
  /** Wraps the error message; unwrapped when omitted. */
  readonly frame?: (crash: ReactNode) => ReactNode;
  /** The message replaces a whole page; true when omitted. */
  readonly isPage?: boolean;
}

/** Confines a render error to one page and offers a report. A new `place` renders the page again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: Failed | null }> {
  override state: { failed: Failed | null } = { failed: null };

  static getDerivedStateFromError(error: unknown) {
    const { pathname } = window.location;
    return { failed: { caught: { error, place: pathname, at: new Date(), browser: navigator.userAgent }, at: null } };
  }

  static getDerivedStateFromProps({ place }: { place: string }, { failed }: { failed: Failed | null }) {
    if (failed?.at === null) return { failed: { ...failed, at: place } };
    return failed && failed.at !== place ? { failed: null } : null;
  }

  override render() {
    const { children, isPage = true, frame = (crash: ReactNode) => crash } = this.props;
    const { failed } = this.state;
    if (failed === null) return children;
    return frame(<Crash caught={failed.caught} isPage={isPage} />);
  }
}
