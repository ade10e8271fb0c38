import { Component, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryButton } from '../parts/entry-button.tsx';
import { lazily } from '../parts/lazily.ts';
import { Notice } from '../parts/notice.tsx';
import type { Fault } from './fault-report.ts';

const FaultDetails = lazily(async () => (await import('./fault-details.tsx')).FaultDetails);

const Crash = ({ fault, isPage }: { fault: Fault; isPage: boolean }) => {
  const { t } = useTranslation('shell');
  return (
    <Notice
      isPage={isPage}
      urgent
      title={t('crashTitle')}
      text={t('crashText')}
      action={
        <>
          <EntryButton onClick={() => window.location.reload()}>{t('reload')}</EntryButton>
          <Suspense fallback={null}>
            <FaultDetails fault={fault} />
          </Suspense>
        </>
      }
    />
  );
};

interface Failed {
  readonly fault: Fault;
  /** Null until the place is known at which it failed. */
  readonly at: string | null;
}

interface ErrorBoundaryProps {
  readonly place: string;
  readonly children: ReactNode;
  /** What surrounds the words about the fault; nothing of its own when left out. */
  readonly frame?: (crash: ReactNode) => ReactNode;
  /** They stand in place of a whole page; true when left out. */
  readonly isPage?: boolean;
}

/** Keeps a fault of one page from taking the whole product along, and offers a report of it. A new `place` gives the page another try. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: Failed | null }> {
  override state: { failed: Failed | null } = { failed: null };

  static getDerivedStateFromError(error: unknown) {
    const { pathname } = window.location;
    return { failed: { fault: { error, place: pathname, at: new Date(), browser: navigator.userAgent }, at: null } };
  }

  static getDerivedStateFromProps({ place }: { place: string }, { failed }: { failed: Failed | null }) {
    if (failed?.at === null) return { failed: { ...failed, at: place } };
    return failed && failed.at !== place ? { failed: null } : null;
  }

  override render() {
    const { children, isPage = true, frame = (crash: ReactNode) => crash } = this.props;
    const { failed } = this.state;
    if (failed === null) return children;
    return frame(<Crash fault={failed.fault} isPage={isPage} />);
  }
}
