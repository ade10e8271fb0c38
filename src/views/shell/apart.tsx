import { type ReactNode, Suspense } from 'react';
import classes from './apart.module.css';
import { ErrorBoundary } from './error-boundary.tsx';

const beside = (crash: ReactNode) => <div className={classes.fault}>{crash}</div>;

/** What lies beside or above the page. Its fault is its own: the page goes on, and the fault is told in a corner. */
export const Apart = ({ place, children }: { place: string; children: ReactNode }) => (
  <ErrorBoundary place={place} frame={beside} isPage={false}>
    <Suspense fallback={null}>{children}</Suspense>
  </ErrorBoundary>
);
