/** Builds the console into `dist`, which is committed: the service serves it as it is. */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // No file is inlined: the policy of the page allows no data in scripts and styles.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2023',
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      onwarn(warning, warn) {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning); // says where a server would render, and there is none
      },
      output: {
        // The fonts of the kit have the hash of their content in their names already, under which the login pages link them.
        assetFileNames: ({ names: [name = ''] }) =>
          name.endsWith('.woff2') ? 'assets/[name][extname]' : 'assets/[name]-[hash][extname]',
        codeSplitting: {
          groups: [
            {
              name: 'editor',
              test: /node_modules[\\/](?:@codemirror|@lezer|style-mod|w3c-keyname|crelt|@marijn)[\\/]/,
              priority: 2,
            },
            {
              // Parts of many pages: each extra file lengthens the lists of what pages load.
              name: 'parts',
              test: /src[\\/](?:history|shell|state|ui)[\\/](?!(?:card|code|controls|elements|facts|form)\.)[\w-]+\.css$/,
              priority: 3,
            },
            {
              // What every page needs, and few releases change: one file compresses better than many.
              name: 'frame',
              test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack[\\/](?:react-router|router-core|history|react-store|store))[\\/]/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});
