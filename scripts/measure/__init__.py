"""Run the example programs and measure them. The only stage that starts processes."""
