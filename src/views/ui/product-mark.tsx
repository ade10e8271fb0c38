/** The logo: a molar inside the frame of a film with its orientation dot. */
export const ProductMark = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
    <path
      d="M22 3H9a6 6 0 0 0-6 6v14a6 6 0 0 0 6 6h14a6 6 0 0 0 6-6V10"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      opacity="0.55"
    />
    <circle cx="27" cy="5" r="2" fill="var(--accent)" />
    <path
      d="M10.7 9.3C12.6 8.2 14.3 9.7 16 9.7s3.4-1.5 5.3-.4c2 1.2 1.9 4.1.9 6.5-.8 1.9-.9 3.7-1.4 5.6-.4 1.7-1 2.7-1.9 2.7-1.5 0-1.1-5.6-2.9-5.6s-1.4 5.6-2.9 5.6c-.9 0-1.5-1-1.9-2.7-.5-1.9-.6-3.7-1.4-5.6-1-2.4-1.1-5.3.9-6.5Z"
      stroke="var(--accent)"
      strokeWidth="1.9"
      strokeLinejoin="round"
    />
  </svg>
);
