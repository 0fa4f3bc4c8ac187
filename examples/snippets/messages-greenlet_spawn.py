import asyncio
from sqlalchemy.exc import StatementError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    price: Mapped[int]


async def main():
    engine = create_async_engine("sqlite+aiosqlite://")
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    async with AsyncSession(engine) as session:
        order = Order(price=5)
        session.add(order)
        await session.commit()
        try:
            print(order.price)  # commit() forgot it: this asks the database without await
        except StatementError as error:
            print(f"{type(error.orig).__name__}: {error.orig}")
        await session.refresh(order)  # the cure, or expire_on_commit=False
        print(order.price)
    await engine.dispose()


asyncio.run(main())
