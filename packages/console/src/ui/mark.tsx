/** The mark of the service: strands above, a root that holds below. */
export function Mark() {
  return (
    <svg
      className="mark"
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.25"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M16 21V4M16 21C16 14 9 14 9 6M16 21c0-7 7-7 7-15M16 21c-2.5 3-6 2.5-8.5 7M16 21c2.5 3 6 2.5 8.5 7M16 21v7.5" />
    </svg>
  );
}
