import { type ReactNode, useEffect, useRef } from 'react';
import classes from './auth-frame.module.css';
import { PageTitle } from './page-heading.tsx';
import { ProductMark } from './product-mark.tsx';

interface AuthFrameProps {
  readonly tagline: string;
  readonly title: string;
  readonly introduction?: ReactNode;
  /** URL of a dark radiograph, shown beside the column on wide screens. */
  readonly picture: string;
  /** Identifies the step: on a new step the focus moves to the heading or to the field that requests it. */
  readonly step?: string;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** The layout of pages before sign-in: one column, with a radiograph beside it on wide screens. */
export const AuthFrame = ({ tagline, title, introduction, picture, step = '', foot, children }: AuthFrameProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const page = heading.current?.closest('main');
    if (!page?.contains(document.activeElement)) heading.current?.focus();
  }, [step]);
  return (
    <div className={classes.page}>
      <PageTitle>{title}</PageTitle>
      <main className={classes.column}>
        <div className={classes.content}>
          <div className={classes.brand}>
            <ProductMark size={40} />
            <div>
              <p className={classes.name}>Dentarium</p>
              <p className={classes.tagline}>{tagline}</p>
            </div>
          </div>
          <div>
            <h1 className={classes.title} ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {introduction && <p className={classes.lead}>{introduction}</p>}
          </div>
          {children}
        </div>
        {foot}
      </main>
      <div className={classes.picture} aria-hidden="true">
        <img src={picture} alt="" />
      </div>
    </div>
  );
};
