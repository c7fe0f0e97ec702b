import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // Relative addresses: the page works under any base path.
  base: './',
  plugins: [svelte()],
  resolve: {
    alias: { $gen: here('../typescript/src/gen/skald'), $client: here('../typescript/src'), $verify: here('../typescript/verify'), $lib: here('src/lib') },
    // The client package brings no copies of its own.
    dedupe: ['@bufbuild/protobuf', '@connectrpc/connect', '@connectrpc/connect-web', '@noble/ed25519', '@noble/hashes'],
  },
  build: {
    outDir: here('../../cmd/skald/internal/console/dist'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});
